export { htmlReport } from './document';
