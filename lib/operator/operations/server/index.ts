export { createOperationsHandler, handlerOf, type OperationsHandler } from './handler';
