export { llama3JsonParser as llama4JsonParser } from './llama3_json.ts';
