export { createSandbox, type Sandbox } from './compose';
