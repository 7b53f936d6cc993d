import type { Delivery } from '../../core/announce/delivery.ts';
import { arrive, giveUp, retryLater } from '../delivery-steps.ts';
import type { OutboxStore } from '../store.ts';

/**
 * Writes the outcome of a worker's call and ends its lease; where `next` answers undefined the record is removed.
 * `isOurs`: no other worker has claimed it in the meantime. Answers the record as it is then, undefined if there is
 * none.
 */
export type SettleDelivery = (
  id: number,
  next: (record: Delivery, isOurs: boolean) => Delivery | undefined,
) => Promise<Delivery | undefined>;

/** How a worker leaves a record. */
export function createOutboxCommands(settle: SettleDelivery): Pick<OutboxStore, 'delivered' | 'retry' | 'giveUp'> {
  return {
    delivered: (arrival) =>
      settle(arrival.id, (record, isOurs) => {
        const arrived = arrive(record, arrival);
        // Another worker is calling now: the outcome of that is not known yet.
        return isOurs || arrived === undefined || arrived === record
          ? arrived
          : { ...arrived, uncertain: record.uncertain };
      }),
    retry: async (retry) => {
      await settle(retry.id, (record, isOurs) => (isOurs ? retryLater(record, retry) : record));
    },
    giveUp: async (givingUp) => {
      await settle(givingUp.id, (record, isOurs) => (isOurs ? giveUp(record, givingUp) : record));
    },
  };
}
