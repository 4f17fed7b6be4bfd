import {createApp, ref} from "vue/dist/vue.esm-bundler.js";
import {createVuetify} from "vuetify";
import * as components from "vuetify/components";
import * as directives from "vuetify/directives";
import "vuetify/styles";
const app = createApp({
  setup: () => ({t: ref(""), tab: ref("a")}),
  template: `<v-app><v-main><h1>Studio</h1><p>Book a room for the recording.</p>
  <v-text-field v-model=t label=Band /><v-textarea label=Songs rows=2 /><v-number-input label=Hours :model-value=2 /><v-select label=Room :items="['Red','Blue']" /><v-autocomplete label=Engineer :items="['Ann','Bob']" /><v-combobox label=Genre :items="['Jazz']" />
  <v-checkbox label=Drums /><v-switch label=Video /><v-radio-group><v-radio label=Day value=d /><v-radio label=Night value=n /></v-radio-group><v-slider label=Volume :model-value=20 /><v-rating :length=3 />
  <v-tabs v-model=tab><v-tab value=a>Price</v-tab><v-tab value=b>Map</v-tab></v-tabs><v-expansion-panels><v-expansion-panel title=Parking text="Behind the house" /></v-expansion-panels>
  <v-menu><template #activator="{props}"><v-btn v-bind=props>Contact</v-btn></template><v-list><v-list-item title=Mail /></v-list></v-menu><v-chip closable>Piano</v-chip><v-file-input label=Demo /><v-btn color=primary>Book</v-btn></v-main></v-app>`,
});
app.use(createVuetify({components, directives}));
app.mount("#app");
