#!/usr/bin/env node
import { runFakeModel } from '@hermes/model-openai/testing';

await runFakeModel(process.argv.slice(2), process.stdout);
