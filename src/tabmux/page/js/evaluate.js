(async function (/** @type {unknown[]} */ ...args) {
  const subject = (
$SOURCE
  );
  const value = await (typeof subject === "function" ? subject(...args) : subject);
  return ($LONG_TEXT)(($SERIALIZE)(value), $PIECE);
})
