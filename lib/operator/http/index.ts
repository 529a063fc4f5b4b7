export { createOperatorHandler, type OperatorHandler } from './handler';
