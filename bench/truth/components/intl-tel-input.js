import intlTelInput from "intl-tel-input/intlTelInputWithUtils";
import "intl-tel-input/styles-no-assets";
document.getElementById("app").innerHTML = `<h1>Contact details</h1><p>We only call when the parcel is here.</p>
<p><label>Full name <input id=name autocomplete=name></label></p>
<p><label for=mobile>Mobile number</label><br><input id=mobile type=tel></p>
<p><label for=office>Office number</label><br><input id=office type=tel></p>
<p><label for=home>Home number</label><br><input id=home type=tel></p>
<p><label for=fax>Fax</label><br><input id=fax type=tel></p>
<p><label><input type=checkbox id=sms> Text me instead</label></p><button>Save contact</button>`;
const make = (id, options) => intlTelInput(document.getElementById(id), options);
window.own = {
  mobile: make("mobile", {initialCountry: "us"}),
  office: make("office", {initialCountry: "de", separateDialCode: true}),
  home: make("home", {initialCountry: "fr", onlyCountries: ["fr", "be", "ch", "it", "es"], countrySearch: false}),
  fax: make("fax", {initialCountry: "gb", separateDialCode: false, strictMode: false}),
};
