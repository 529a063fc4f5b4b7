export { maxShown, readableBody } from './body';
export { messageText, type ReadableMessage, readableReply, readableRequest } from './call';
export { groupQuestions, groupTitle } from './groups';
export { withoutLogins } from './logins';
export {
  byGroup,
  type GroupCases,
  isDecisive,
  type Standing,
  standingNames,
  standingOf,
  standings,
  type Tally,
  tallyInWords,
  tallyOf,
} from './tally';
export { sentence, shownCurl, visible, visibleLine } from './visible';
export {
  counted,
  durationInWords,
  instantInWords,
  wireAmount,
  wireDifference,
} from './words';
