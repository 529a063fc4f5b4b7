export { VirtualClock } from '../../lib/platform/virtual-clock';
