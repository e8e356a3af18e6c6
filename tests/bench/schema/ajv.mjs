// Prints, as JSON, what validating took with ajv: {"nanoseconds": per value, "verdicts": [[...]]}.
//
//   node ajv.mjs AJV_FOLDER CORPUS_JSON MILLISECONDS
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const [folder, corpus, milliseconds] = process.argv.slice(2);
const require = createRequire(`${folder}/`);
const options = { strict: false, validateFormats: false, validateSchema: false };
const draft7 = new (require("ajv").default)(options);
const draft2020 = new (require("ajv/dist/2020").default)(options);

const { schemas, values } = JSON.parse(readFileSync(corpus, "utf8"));
const validators = schemas.map((schema) =>
  (String(schema.$schema).includes("draft-07") ? draft7 : draft2020).compile(schema),
);
const once = () => {
  let passed = 0;
  for (let i = 0; i < validators.length; ++i) {
    for (const value of values[i]) passed += validators[i](value) ? 1 : 0;
  }
  return passed;
};
const until = (time) => {
  let rounds = 0;
  const start = process.hrtime.bigint();
  const end = start + BigInt(Math.round(time * 1e6));
  while (process.hrtime.bigint() < end) {
    for (let i = 0; i < 20; ++i) once();
    rounds += 20;
  }
  return Number(process.hrtime.bigint() - start) / rounds;
};
until(Number(milliseconds)); // compiled by then
const count = values.reduce((sum, list) => sum + list.length, 0);
console.log(
  JSON.stringify({
    nanoseconds: until(Number(milliseconds)) / count,
    verdicts: validators.map((validate, i) => values[i].map((value) => validate(value))),
  }),
);
