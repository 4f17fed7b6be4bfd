import {createRoot} from "react-dom/client";
import "semantic-ui-css/semantic.css";
import {Accordion, Button, Checkbox, Dropdown, Form, Input, Menu, Pagination, Radio, Rating, Tab, TextArea} from "semantic-ui-react";
const options = [{key: 1, text: "Tea", value: 1}, {key: 2, text: "Milk", value: 2}];
createRoot(document.getElementById("app")).render(<main>
  <h1>Kitchen</h1><p>What shall we cook this evening?</p>
  <Form><Form.Input label="Dish" /><Form.TextArea label="Steps" /><Form.Select label="Drink" options={options} /><Form.Checkbox label="Spicy" /></Form>
  <Input icon="search" placeholder="Find" /><Checkbox toggle label="Vegan" /><Radio label="Lunch" name="m" /><Radio label="Dinner" name="m" />
  <Dropdown placeholder="Extras" multiple selection search options={options} /><Dropdown text="Actions"><Dropdown.Menu><Dropdown.Item text="Print" /></Dropdown.Menu></Dropdown>
  <Menu><Menu.Item name="home" onClick={() => {}} /><Menu.Item as="a" name="list" href="#l" /></Menu><Rating maxRating={3} /><Pagination totalPages={3} />
  <Accordion panels={[{key: "a", title: "Allergies", content: "None known here"}]} /><Tab panes={[{menuItem: "One", render: () => "First pane"}, {menuItem: "Two", render: () => "Second pane"}]} /><Button primary>Cook</Button>
</main>);
