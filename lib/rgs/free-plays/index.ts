export {
  type AssignFacts,
  type Assignment,
  createFreePlays,
  type FreePlayRegistry,
} from './create';
export type { AssignedPackage, FreePlayEvent, FreePlayPackage } from './package';
