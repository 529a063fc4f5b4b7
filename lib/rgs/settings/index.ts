export { offeredStakes } from './amounts';
export {
  createSettingsBook,
  type OperatorSettings,
  type SettingsBook,
  type SettingsChoice,
} from './book';
export { readLaunchOptions } from './read';
