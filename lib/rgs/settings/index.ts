export { maxExposureOf, offeredStakes } from './amounts';
export { createSettingsBook, type OperatorSettings, type SettingsBook } from './book';
export { readLaunchOptions } from './read';
