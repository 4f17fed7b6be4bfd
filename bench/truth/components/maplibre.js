import maplibregl from "maplibre-gl";
import "maplibre-gl/dist/maplibre-gl.css";
document.getElementById("app").innerHTML = `<h1>Globe</h1><p>Drag the map to move around.</p><div id=m style="height:400px"></div><button>Home</button>`;
const map = new maplibregl.Map({container: "m", style: {version: 8, sources: {}, layers: []}, center: [0, 0], zoom: 2});
map.addControl(new maplibregl.NavigationControl());
map.addControl(new maplibregl.FullscreenControl());
new maplibregl.Marker().setLngLat([0, 0]).setPopup(new maplibregl.Popup().setText("The middle of it")).addTo(map);
