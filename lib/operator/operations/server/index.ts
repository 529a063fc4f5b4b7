export { createOperationsHandler, type OperationsHandler } from './handler';
