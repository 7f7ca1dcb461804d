export { pythonicParser as llama4PythonicParser } from './pythonic.ts';
