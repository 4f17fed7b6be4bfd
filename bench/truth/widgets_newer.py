"""Newer widgets: tasks written without a look at how filling works, in halves."""

from __future__ import annotations

from bench.truth.libraries import NEWER
from bench.truth.saved_page import Half, half_of
from bench.truth.widget_tasks import WidgetPage, WidgetTask

T = WidgetTask


def half(part: Half) -> list[WidgetPage]:
    """The pages of a half, which the hash of their names chooses."""
    return [page for page in PAGES if half_of(page.name) == part]


TASKS: dict[str, list[WidgetTask]] = {
    "chosen": [
        T("css=#country_chosen .chosen-single", "Norway", "S.country === 'Norway' && shown('country') === 'Norway'"),
        T("css=#colours_chosen input", '["Red", "Blue"]', "S.colours.join() === 'Red,Blue' && shown('colours') === 'Red,Blue'"),
        T("css=#team_chosen .chosen-single", "Chicago Bears", "S.team === 'Chicago Bears' && shown('team') === 'Chicago Bears'"),
        T("css=#size_chosen .chosen-single", "Large", "S.size === 'Large' && shown('size') === 'Large'"),
        T("css=#print_chosen .chosen-single", "Both", "S.print === 'Both' && shown('print') === 'Both'"),
    ],
    "fomantic": [
        T("css=#kind", "Concert", "S.kind === 'concert'"),
        T('textbox "Skills"', '["CSS", "HTML"]', "S.skills === 'css,html'"),
        T('textbox "State"', "Colorado", "S.state === 'CO'"),
        T('textbox "Date"', "2027-03-14", "S.start.toDateString() === 'Sun Mar 14 2027'"),
        T('textbox "Time"', "18:30", "S.doors.toTimeString().startsWith('18:30')"),
        T("css=#price", "35", "S.price === 35"),
        T("css=#stars", "4", "S.stars === 4"),
        T("css=#open input", "true", "S.open === true"),
    ],
    "litepicker": [
        T('textbox "Arrival"', "2027-01-14", "S.day === '2027-01-14'"),
        T('textbox "Stay"', "2027-01-09 to 2027-01-16", "S.stay === '2027-01-09 2027-01-16'"),
        T('textbox "Date of birth"', "1984-07-23", "S.birth === '1984-07-23'"),
    ],
    "materialize": [
        T("css=.input-field:has(#area) input.select-dropdown", "Hall", "S.area === '2'"),
        T("css=.input-field:has(#diets) input.select-dropdown", '["Vegan", "No nuts"]', "S.diets.join() === 'vegan,nuts'"),
        T('textbox "Day"', "2027-03-14", "S.day === '2027-03-14' && document.getElementById('day').value === S.day"),
        T('textbox "Hour"', "19:30", "S.hour === '19:30' && document.getElementById('hour').value === S.hour"),
        T('textbox "Town"', "Bonn", "S.town === 'Bonn' && document.getElementById('town').value === 'Bonn'"),
        T('textbox "Guests"', '["Ann", "Bo"]', "guests.getData().map((each) => each.id).join() === 'Ann,Bo'"),
        T('slider "How hot"', "7", "S.heat === '7'"),
        T('checkbox "Inside Outside"', "true", "S.outside === true"),
    ],
    "selectize": [
        T('textbox "Department"', "Support", "S.department === '2'"),
        T('textbox "Tags"', '["solar", "wind"]', "S.tags === 'solar,wind'"),
        T('textbox "Email to"', "Ada Lovelace", "S.cc.join() === 'ada@engine.example'"),
        T('textbox "Product"', "Product 87", "S.product === 'p86'"),
        T('textbox "Priority"', "High", "S.priority === 'high'"),
        T('textbox "Languages"', '["French", "Polish"]', "S.languages.join() === 'French,Polish'"),
    ],
    "uswds": [
        T('combobox "Select a fruit"', "Mango", "chosen('fruit') === 'mango'"),
        T('textbox "Planting date"', "03/14/2027", "dated('planted') === '2027-03-14'"),
        T('textbox "Harvest start date"', "2027-08-02", "dated('first') === '2027-08-02'"),
        T('combobox "Inspection time"', "2:30pm", "chosen('visit') === '14:30'"),
        T('textbox "Phone"', "555-123-4567", "document.getElementById('phone').value === '555-123-4567'"),
        T('slider "Acres in use"', "70", "S.acres === '70'"),
        T('radio "Rented land"', "true", "S.rented === true"),
    ],
    "vanilla-calendar": [
        T('textbox "Visit"', "2027-03-18", "S.visit === '2027-03-18'"),
        T('textbox "Call me at"', "2027-04-06 14:30", "S.call === '2027-04-06 14:30'"),
        T('textbox "Due date"', "2027-04-02", "S.due === '2027-04-02'"),
        T('group "Days off"', '["2027-03-08", "2027-03-10"]', "S.days === '2027-03-08,2027-03-10'"),
    ],
    "virtual-select": [
        T('combobox "From"', "Oslo", "S.from === 'oslo'"),
        T('combobox "Airlines"', '["Blue Wings", "Sun Jet"]', "S.airlines.join() === 'blue-wings,sun-jet'"),
        T('combobox "Row"', "Row 212", "S.row === '212'"),
        T('combobox "Meals"', '["Chicken", "Vegan"]', "S.meals.join() === 'chicken,vegan'"),
        T('combobox "Cabin"', "Business", "S.cabin === 'business'"),
        T('combobox "Discount code"', "SPRING26", "S.code === 'SPRING26'"),
    ],
    "coloris": [
        T('textbox "Background"', "#2266cc", "S.background === '#2266cc' && seen('background') === 'rgb(34, 102, 204)'"),
        T('textbox "Accent color"', "#d81b60", "S.accent === '#d81b60' && seen('accent') === 'rgb(216, 27, 96)'"),
        T('textbox "Border"', "rgb(255, 0, 128)", "S.border && seen('border') === 'rgb(255, 0, 128)'"),
        T('textbox "Badge"', "#e76f51", "S.badge === '#e76f51' && seen('badge') === 'rgb(231, 111, 81)'"),
    ],
    "downshift": [
        T('combobox "Choose your favorite book:"', "The Idiot", "S.book === 'The Idiot'"),
        T('combobox "Find an author:"', "Oscar Wilde", "S.author === 'Oscar Wilde'"),
        T('combobox "Room:"', "Room 142", "S.room === 'Room 142'"),
        T('combobox "Pick some readers:"', '["Ann", "Cleo"]', "S.readers.join() === 'Ann,Cleo'"),
        T('textbox "Enter a drink"', "Coffee", "S.drink === 'Coffee'"),
    ],
    "imask": [
        T('textbox "Card number"', "4111111111111111", "S.card.plain === '4111111111111111' && S.card.complete"),
        T('textbox "Expires"', "08/29", "S.expires.shown === '08/29' && S.expires.complete"),
        T('textbox "Amount"', "1234.50", "S.amount.plain === '1234.50' || S.amount.typed === '1234.50' || S.amount.shown === '$1,234.5'"),
        T('textbox "Phone"', "+1 (201) 555-0123", "S.phone.shown === '+1 (201) 555-0123' && S.phone.complete"),
        T('textbox "Date of birth"', "14.03.1989", "S.birth.typed.toDateString() === 'Tue Mar 14 1989'"),
        T('textbox "Voucher"', "abc-123-x7z", "S.voucher.shown === 'ABC-123-X7Z'"),
    ],
    "intl-tel-input": [
        T('textbox "Mobile number"', "201 555 0123", "own.mobile.getNumber() === '+12015550123' && own.mobile.isValidNumber()"),
        T('textbox "Office number"', "030 12345678", "own.office.getNumber() === '+493012345678'"),
        T('textbox "Home number"', "+32 470 12 34 56", "own.home.getNumber() === '+32470123456' && own.home.getSelectedCountry().iso2 === 'be'"),
        T('textbox "Fax"', "+44 20 7946 0018", "own.fax.getNumber() === '+442079460018'"),
        T("css=p:has(#mobile) .iti__selected-country", "Canada", "own.mobile.getSelectedCountry().iso2 === 'ca'"),
        T("css=p:has(#home) .iti__selected-country", "Italy", "own.home.getSelectedCountry().iso2 === 'it'"),
    ],
    "ion-rangeslider": [
        T('textbox "Distance"', "120", "S.distance === '120'"),
        T('textbox "Price"', "10000;30000", "S.price === '10000;30000'"),
        T('textbox "Delivery month"', "May", "S.month === 'May'"),
        T('textbox "Seats"', "7", "S.seats === '7'"),
        T('textbox "Power"', "150", "S.power === '150' && document.getElementById('kilowatts').value === '150'"),
    ],
    "pickr": [
        T('button "Main color"', "#1b998b", "S.main === '#1b998b'"),
        T('button "Text color"', "#0b132b", "S.text === '#0b132b'"),
        T('button "Link color"', "#c0392b", "S.link === '#c0392b' && document.getElementById('link').value === '#c0392b'"),
        T('button "Chart color"', "#03a9f4", "S.chart === '#03a9f4'"),
    ],
    "react-day-picker": [
        T('textbox "Date of travel"', "03/18/2027", "S.typed === '2027-03-18'"),
        T('button "Return"', "2027-04-02", "S.back === '2027-04-02'"),
        T('button "Date of birth"', "1984-07-23", "S.birth === '1984-07-23'"),
    ],
    "vue-datepicker": [
        T('combobox "Day"', "2027-03-18", "S.day.toDateString() === 'Thu Mar 18 2027'"),
        T('combobox "Meeting"', "2027-01-20 14:30", "S.meeting.toString().startsWith('Wed Jan 20 2027 14:30')"),
        T('combobox "Trip"', "2027-01-09 - 2027-01-16", "S.trip.map((each) => each.toDateString()).join() === 'Sat Jan 09 2027,Sat Jan 16 2027'"),
        T('combobox "Alarm"', "06:45", "S.alarm.hours === 6 && S.alarm.minutes === 45"),
        T('combobox "Billing month"', "2027-05", "S.month.month === 4 && S.month.year === 2027"),
        T('combobox "Deadline"', "2027-02-11", "S.typed.toDateString() === 'Thu Feb 11 2027'"),
    ],
    "vueform": [
        T('combobox "Select country"', "Poland", "S.country === 'pl'"),
        T('combobox "Customer"', "Initech", "S.customer === 'Initech'"),
        T('combobox "Genres"', '["Comedy", "Horror"]', "S.genres.join() === 'Comedy,Horror'"),
        T('combobox "Labels"', '["winter", "sale"]', "S.labels.join() === 'winter,sale'"),
        T('slider "Budget"', "66", "S.budget === 66"),
        T("css=#age [data-handle='1']", "42", "S.age.join() === '18,42'"),
        T('switch "Off"', "true", "S.live === true"),
    ],
    "bootstrap-select": [
        T('combobox "Choose one of the following..."', "Medium", "S.size === 'Medium'"),
        T('combobox "Tomato"', "Pesto", "S.sauce === 'Pesto'"),
        T('combobox "Pick toppings"', '["Onions", "Ham"]', "S.toppings.join() === 'Onions,Ham'"),
        T('combobox "Nothing selected"', '["Juice", "Water"]', "S.drinks.join() === 'Juice,Water'"),
        T('combobox "Nearest branch"', "Branch 63", "S.branch === 'b63'"),
        T('checkbox "Deliver it"', "true", "S.deliver === true"),
    ],
    "cmdk": [
        T('combobox "Framework"', "Remix", "S.framework === 'Remix'"),
        T('combobox "Region"', "Zone 72", "S.region === 'Zone 72'"),
        T('textbox "One-time code"', "482913", "S.code === '482913' && S.complete"),
        T('textbox "Invitation"', "K7QD", "S.invitation === 'K7QD'"),
        T('combobox "Command Menu"', "Leave", "document.querySelector('[aria-label=Commands] input').value === 'Leave' && document.querySelector('[aria-label=Commands] [aria-selected=true]').textContent === 'Leave team'"),
    ],
    "duet": [
        T('textbox "Choose a date"', "2027-03-14", "S.begin === '2027-03-14'"),
        T('textbox "Date of birth"', "1984-07-23", "S.birth === '1984-07-23'"),
        T('textbox "Day of the damage"', "14.2.2027", "S.damage === '2027-02-14'"),
        T('radio "Full"', "true", "document.querySelector('[value=full]').checked"),
    ],
    "easymde": [
        T("css=p + label + textarea + .EasyMDEContainer textarea", "A new text (1", "own.body.value() === 'A new text (1'"),
        T("css=p + label + textarea + .EasyMDEContainer textarea", "# News\n\n* one\n* two\n\nThe end", "own.body.value() === '# News\\n\\n* one\\n* two\\n\\nThe end'"),
        T("css=#excerpt + .EasyMDEContainer textarea", "Shorter", "own.excerpt.value() === 'Shorter' && document.getElementById('excerpt').value === 'Shorter'"),
        T("css=#excerpt + .EasyMDEContainer textarea", "", "own.excerpt.value() === '' && document.getElementById('excerpt').value === ''"),
    ],
    "jspreadsheet": [
        T('css=td[data-x="0"][data-y="1"]', "Accord", "own.getValue('A2') === 'Accord'"),
        T('css=td[data-x="1"][data-y="2"]', "Skoda", "own.getValue('B3') === 'Skoda'"),
        T('css=td[data-x="2"][data-y="0"]', "2019-03-14", "own.getValue('C1').startsWith('2019-03-14')"),
        T('css=td[data-x="3"][data-y="1"] input', "true", "String(own.getValue('D2')) === 'true'"),
        T('css=td[data-x="4"][data-y="2"]', "5250", "Number(own.getValue('E3')) === 5250"),
    ],
    "lion": [
        T('textbox "First deposit euros"', "1250.50", "of('deposit') === 1250.5"),
        T('textbox "Opening day"', "14/03/2027", "of('begin').toDateString() === 'Sun Mar 14 2027'"),
        T('spinbutton "Cards"', "3", "of('cards') === 3"),
        T('button "Kind of account Giro"', "Student", "of('kind') === 'Student'"),
        T('textbox "Branch"', "Leiden", "of('branch') === 'Leiden'"),
        T('listbox "Letters"', "Monthly", "of('letters') === 'Monthly'"),
        T('radio "Another country"', "true", "of('tax') === 'Another country'"),
        T('slider "Monthly limit"', "650", "of('limit') === 650"),
        T('switch "On paper"', "true", "document.querySelector('lion-switch').checked"),
    ],
    "nord": [
        T('textbox "Weight"', "12", "S.weight === '12'"),
        T('combobox "Species"', "Hare", "S.species === 'hare'"),
        T('textbox "Date of birth"', "2021-03-14", "S.birth === '2021-03-14'"),
        T('textbox "Next visit"', "14.02.2027", "S.visit === '2027-02-14'"),
        T('switch "Send reminders"', "true", "S.reminders === true"),
        T('slider "Pain"', "7", "Number(S.pain) === 7"),
        T('radio "High"', "true", "S.urgency === 'high'"),
        T('checkbox "Shy"', "true", "document.querySelector('[value=shy]').checked === true"),
    ],
    "polaris": [
        T('spinbutton "Price $"', "19.90", "Number(S.price) === 19.9"),
        T('combobox "Status"', "Active", "S.status === 'active'"),
        T('combobox "Vendor"', "Cotton Mill", "S.vendor === 'Cotton Mill'"),
        T('combobox "Tags"', '["Vinyl", "Vintage"]', "S.tags.join() === 'vinyl,vintage'"),
        T('slider "Stock alert"', "70", "S.stock === 70"),
        T("css=[role=slider][aria-valuenow='400']", "650", "S.cost.join() === '100,650'"),
        T('radio "By courier"', "true", "S.ship.join() === 'courier'"),
        T('textbox "Note"', "One\nTwo", "S.note === 'One\\nTwo'"),
    ],
    "star-rating": [
        T('combobox "Overall"', "Very Good", "S.overall === '4'"),
        T('combobox "Cleanliness"', "Good", "S.clean === '3'"),
        T('combobox "Score"', "Eight", "S.score === '8'"),
    ],
}  # fmt: skip
PAGES = [WidgetPage(each.name, tasks=TASKS[each.name], library=each) for each in NEWER]
