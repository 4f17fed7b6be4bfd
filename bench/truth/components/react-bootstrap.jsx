import {createRoot} from "react-dom/client";
import "bootstrap/dist/css/bootstrap.css";
import {Accordion, Button, ButtonGroup, Carousel, Dropdown, Form, Nav, Navbar, OverlayTrigger, Pagination, Tab, Tabs, ToggleButton, Tooltip} from "react-bootstrap";
createRoot(document.getElementById("app")).render(<main>
  <Navbar expand="sm"><Navbar.Brand href="#">Shop</Navbar.Brand><Navbar.Toggle /><Navbar.Collapse><Nav><Nav.Link href="#a">Offers</Nav.Link></Nav></Navbar.Collapse></Navbar>
  <h1>Checkout</h1><p>Your basket has two things in it.</p>
  <Form.Group controlId="s"><Form.Label>Street</Form.Label><Form.Control /></Form.Group><Form.Select aria-label="Country"><option>Norway</option><option>Italy</option></Form.Select>
  <Form.Check label="Gift" id="g" /><Form.Check type="switch" id="w" label="Wrap" /><Form.Check type="radio" name="r" id="r1" label="Post" /><Form.Range aria-label="Tip" />
  <Form.Control as="textarea" placeholder="Hints" /><Dropdown><Dropdown.Toggle>Voucher</Dropdown.Toggle><Dropdown.Menu><Dropdown.Item href="#v">Five</Dropdown.Item></Dropdown.Menu></Dropdown>
  <ButtonGroup><ToggleButton id="tb" type="checkbox" value="1">Fast</ToggleButton></ButtonGroup><OverlayTrigger overlay={<Tooltip>Hint text</Tooltip>}><Button>Hint</Button></OverlayTrigger>
  <Tabs defaultActiveKey="a"><Tab eventKey="a" title="Bill">Bill text</Tab><Tab eventKey="b" title="Parcel">Parcel text</Tab></Tabs>
  <Accordion><Accordion.Item eventKey="0"><Accordion.Header>Terms</Accordion.Header><Accordion.Body>The small print</Accordion.Body></Accordion.Item></Accordion>
  <Carousel interval={null}><Carousel.Item><p>Slide one</p></Carousel.Item><Carousel.Item><p>Slide two</p></Carousel.Item></Carousel>
  <Pagination><Pagination.Prev /><Pagination.Item>1</Pagination.Item></Pagination><Button>Pay</Button>
</main>);
