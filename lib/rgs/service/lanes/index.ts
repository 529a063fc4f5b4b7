export { createLanes, type Front, type Lanes } from './turns';
