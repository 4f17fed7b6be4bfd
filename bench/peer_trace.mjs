// Reads a trace with chrome-devtools-mcp's own engine, and prints what that cost.
// Arguments: the package's folder, the trace.
import fs from 'node:fs';
import zlib from 'node:zlib';
import { pathToFileURL } from 'node:url';

const [folder, file] = process.argv.slice(2);
const engine = await import(pathToFileURL(`${folder}/build/src/processors/PerformanceTrace.js`));
const {overrideDevToolsGlobals} = await import(pathToFileURL(`${folder}/build/src/devtools/DevtoolsUtils.js`));
// Sets the locale, as its server does. Without one no insight can be worded, and none is computed.
overrideDevToolsGlobals({loadResource: () => Promise.reject(new Error('no network'))});
const began = performance.now();
const data = fs.readFileSync(file);
const result = await engine.parseRawTraceBuffer(file.endsWith('.gz') ? zlib.gunzipSync(data) : data);
if (result.error) {
  console.error(result.error);
  process.exit(1);
}
const summary = engine.getTraceSummary(result);
if (!summary.includes('insight name:')) {
  console.error('It computed no insights.');
  process.exit(1);
}
const used = process.resourceUsage();
console.log(JSON.stringify({
  cpu: (used.userCPUTime + used.systemCPUTime) / 1e6,
  memory: used.maxRSS * 1024,
  seconds: (performance.now() - began) / 1000,
  characters: summary.length,
}));
process.exit(0);
