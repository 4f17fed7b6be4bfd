import L from "leaflet";
import "leaflet/dist/leaflet.css";
document.getElementById("app").innerHTML = `<h1>Map</h1><p>Shops near the station are marked.</p><div id=m style="height:400px"></div><button>Locate</button>`;
const map = L.map("m", {zoomAnimation: false}).setView([51.5, -0.09], 13);
const shops = L.layerGroup([L.marker([51.5, -0.09], {title: "Bakery", alt: "Bakery"}).bindPopup("Fresh bread here"), L.marker([51.505, -0.1], {title: "Bank", alt: "Bank"})]).addTo(map);
L.control.layers({}, {Shops: shops}, {collapsed: false}).addTo(map);
