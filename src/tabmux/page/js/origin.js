// @ts-check
/** Says which origin the document has; a document without one has "null". */
function origin() {
  return location.origin;
}
