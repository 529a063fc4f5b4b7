export { type Case, type Group, groups } from './case';
