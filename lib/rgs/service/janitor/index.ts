export { createJanitor, type Janitor } from './rounds';
