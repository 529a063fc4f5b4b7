export {
  createDelivery,
  type Delivery,
  type DeliveryParts,
  type How,
  type RoundName,
} from './queues';
