export { glm45Parser as glm47Parser } from './glm45.ts';
