import React, {useState} from "react";
import {createRoot} from "react-dom/client";
import {Command} from "cmdk";
import {OTPInput} from "input-otp";
const S = window.S = {};
const frameworks = ["Next.js", "SvelteKit", "Nuxt.js", "Remix", "Astro"], box = {border: "1px solid #bbb", width: 260, background: "white"};
// As shadcn/ui has it: a button with the role combobox opens a list that can be searched.
function Combobox({id, label, words}) {
  const [open, setOpen] = useState(false), [value, setValue] = useState("");
  return <div style={{position: "relative", margin: 10}}><label htmlFor={id}>{label}</label> <button id={id} role="combobox" aria-expanded={open} aria-label={label} onClick={() => setOpen(!open)} style={{width: 200}}>{value || "Select..."}</button>
    {open && <div style={{...box, position: "absolute", zIndex: 3}}><Command label={label}><Command.Input placeholder="Search..." autoFocus /><Command.List style={{maxHeight: 150, overflow: "auto"}}><Command.Empty>Nothing found.</Command.Empty><Command.Group>{words.map((word) => <Command.Item key={word} value={word} onSelect={(chosen) => { setValue(chosen); S[id] = chosen; setOpen(false); }}>{word}</Command.Item>)}</Command.Group></Command.List></Command></div>}</div>;
}
const slot = (each, at) => <div key={at} style={{border: "1px solid #888", width: 28, height: 34, textAlign: "center"}}>{each.char}{each.hasFakeCaret && "|"}</div>;
const Code = ({label, ...more}) => <p><label>{label} <OTPInput {...more} render={({slots}) => <div style={{display: "flex"}}>{slots.map(slot)}</div>} /></label></p>;
createRoot(document.getElementById("app")).render(<main style={{padding: 20}}><h1>New project</h1><p>Projects start empty and cost nothing.</p>
  <label>Name <input /></label><Combobox id="framework" label="Framework" words={frameworks} /><Combobox id="region" label="Region" words={Array.from({length: 90}, (_, n) => `Zone ${n + 1}`)} />
  <Code label="One-time code" maxLength={6} onChange={(value) => { S.code = value; }} onComplete={() => { S.complete = true; }} /><Code label="Invitation" maxLength={4} pattern="^[A-Z0-9]+$" inputMode="text" pasteTransformer={(text) => text.toUpperCase()} onChange={(value) => { S.invitation = value; }} />
  <section aria-label="Commands" style={box}><Command label="Command Menu"><Command.Input placeholder="Type a command..." /><Command.List><Command.Group heading="Team"><Command.Item onSelect={() => { S.command = "invite"; }}>Invite people</Command.Item><Command.Item onSelect={() => { S.command = "leave"; }}>Leave team</Command.Item></Command.Group></Command.List></Command></section><button>Create</button></main>);
