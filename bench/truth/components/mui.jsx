import {createRoot} from "react-dom/client";
import {
  Accordion, AccordionDetails, AccordionSummary, Autocomplete, Button, Checkbox, Chip, FormControlLabel,
  MenuItem, Pagination, Radio, RadioGroup, Rating, Slider, Switch, Tab, Tabs, TextField, ToggleButton,
} from "@mui/material";
createRoot(document.getElementById("app")).render(<main>
  <h1>Booking</h1><p>Choose what you need for the journey.</p>
  <TextField label="Full name" helperText="As in the passport" /> <TextField label="Notes" multiline />
  <TextField select label="Class" defaultValue="2" style={{width: 120}}>
    <MenuItem value="1">First</MenuItem><MenuItem value="2">Second</MenuItem>
  </TextField>
  <Autocomplete options={["Oslo", "Rome", "Wien"]} renderInput={(p) => <TextField {...p} label="City" />} />
  <FormControlLabel control={<Checkbox />} label="Window seat" />
  <FormControlLabel control={<Switch />} label="Remind me" />
  <RadioGroup name="pay"><FormControlLabel value="a" control={<Radio />} label="Card" />
    <FormControlLabel value="b" control={<Radio />} label="Cash" /></RadioGroup>
  <Slider aria-label="Bags" defaultValue={3} max={10} /><Rating name="stars" />
  <Tabs value={0}><Tab label="Out" /><Tab label="Back" /></Tabs>
  <Accordion><AccordionSummary>More</AccordionSummary><AccordionDetails>Details of it</AccordionDetails></Accordion>
  <Chip label="Pet" onDelete={() => {}} /><ToggleButton value="b">Bold</ToggleButton>
  <Pagination count={3} /><Button variant="contained">Book</Button>
</main>);
