export { createJanitor, type Janitor, type JanitorParts } from './rounds';
