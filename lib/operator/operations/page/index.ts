export { faultPage } from './fault';
export { type Frame, type Here, linkTo, type PageBody, roundHref, sendFramed } from './layout';
export { playerHref, playerPage } from './player';
export { roundPage } from './round';
export { notFoundPage, searchPage } from './search';
export { pendingPage } from './pending';
export { openRoundsPage, startPage, type StartView } from './start';
export { repairLogPage } from './repair-log';
export { proposalsPage } from './proposals';
