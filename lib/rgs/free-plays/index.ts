export { createFreePlays, type FreePlayRegistry } from './create';
export type { AssignedPackage, FreePlayEvent, FreePlayPackage } from './package';
