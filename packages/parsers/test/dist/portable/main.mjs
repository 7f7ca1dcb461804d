// The vectors with the built package, in whatever runs this file. Prints how many there were, and fails when one is wrong.
import { readdirSync, readFileSync } from 'node:fs';
import { getParser } from '../../../dist/index.js';
import { failuresOf } from './vectors.mjs';

const folder = new URL('../../fixtures/vectors/', import.meta.url);
const files = readdirSync(folder).map((name) => JSON.parse(readFileSync(new URL(name, folder), 'utf8')));
const failures = failuresOf(getParser, files);
const count = files.reduce((sum, { vectors }) => sum + vectors.length, 0);
console.log(`${count - failures.length} of ${count} vectors`);
if (failures.length > 0) throw new Error(`wrong: ${failures.join(', ')}`);
