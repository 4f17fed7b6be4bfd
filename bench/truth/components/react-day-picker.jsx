import React, {useId, useRef, useState} from "react";
import {createRoot} from "react-dom/client";
import {DayPicker} from "react-day-picker";
import "react-day-picker/style.css";
const S = window.S = {};
const iso = (date) => date && [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, "0")).join("-");
const month = new Date(2027, 2, 1);
// The documentation's "input and calendar in a dialog": the field can be typed into, too.
function Typed() {
  const id = useId(), ref = useRef(null), [shown, setShown] = useState(month), [day, setDay] = useState(), [text, setText] = useState("");
  const take = (date, words) => { setText(words); setDay(date); S.typed = iso(date); if (date) setShown(date); };
  return <div><label htmlFor={id}>Date of travel</label> <input id={id} placeholder="MM/dd/yyyy" value={text} onChange={({target}) => { const found = /^(\d\d)\/(\d\d)\/(\d{4})$/.exec(target.value); take(found ? new Date(+found[3], found[1] - 1, +found[2]) : undefined, target.value); }} />
    <button aria-label="Open calendar to choose date" onClick={() => ref.current.showModal()}>&#128197;</button>
    <dialog ref={ref} aria-modal><DayPicker month={shown} onMonthChange={setShown} autoFocus mode="single" selected={day} onSelect={(date) => { if (date) { const [y, m, d] = iso(date).split("-"); take(date, `${m}/${d}/${y}`); ref.current.close(); } }} /></dialog></div>;
}
// As shadcn/ui has it: a button that shows the day and opens a calendar below it.
function Button({name, label, dropdowns}) {
  const id = useId(), [open, setOpen] = useState(false), [day, setDay] = useState();
  return <div style={{position: "relative"}}><label htmlFor={id}>{label}</label> <button id={id} aria-haspopup="dialog" aria-expanded={open} onClick={() => setOpen(!open)}>{day ? day.toDateString() : "Pick a date"}</button>
    {open && <div role="dialog" aria-label={label} style={{position: "absolute", zIndex: 2, background: "white", border: "1px solid"}}><DayPicker mode="single" captionLayout={dropdowns ? "dropdown" : "label"} startMonth={dropdowns && new Date(1940, 0)} endMonth={dropdowns && new Date(2030, 11)} defaultMonth={dropdowns ? new Date(1990, 0) : month} selected={day} onSelect={(date) => { setDay(date); S[name] = iso(date); setOpen(false); }} /></div>}</div>;
}
function Span() {
  const [range, setRange] = useState();
  return <section aria-label="Stay"><h2>Stay</h2><DayPicker mode="range" numberOfMonths={2} defaultMonth={month} selected={range} onSelect={(next) => { setRange(next); S.stay = next && `${iso(next.from)} ${iso(next.to)}`; }} footer={range?.to ? "Chosen" : "Pick the first and the last day."} /></section>;
}
createRoot(document.getElementById("app")).render(<main style={{padding: 20}}><h1>Journey</h1><p>Trains run on every day but Christmas.</p>
  <Typed /><Button name="back" label="Return" /><Button name="birth" label="Date of birth" dropdowns /><Span /><label>Passengers <input type="number" defaultValue={1} /></label><button>Find trains</button></main>);
