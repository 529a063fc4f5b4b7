export { createOperatorHandler, type OperatorHandler } from './handler';
export { originForm, pathOf, type RequestListener } from './routes';
