// The DNS of the zones, as those ask it who hold the emulator: by a function, by a message, or on a port.
import { type MessageNet, systemMessages } from '#base'
import type { DnsView, ZonesDns } from '../aws.ts'
import type { DnsPort } from '../ports.ts'
import { answerMessage } from './answer-message.ts'
import type { DnsReply } from './reply.ts'

export function zonesDns(portOf: (partition: string) => DnsPort, net: MessageNet = systemMessages): ZonesDns {
  const resolve = (name: string, type: string, { vpc, partition = 'aws' }: DnsView = {}): DnsReply =>
    portOf(partition).resolve(name, type, vpc === undefined ? {} : { vpc })
  return {
    resolve,
    listen: ({ host, port, ...view } = {}) =>
      net.listen({ ...(host !== undefined && { host }), ...(port !== undefined && { port }) }, (message, road) =>
        answerMessage(message, road, (name, type) => resolve(name, type, view)),
      ),
  }
}
