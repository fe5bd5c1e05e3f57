// The hosted operator, assembled for one manager: two controllers over the same control planes, which need no order. Nothing is opened here.
import { type Clock, given, type Keys, type Random } from '#base'
import type { ConnectSeams } from '#kube/client'
import type { RunningOperator } from '#runtime'
import { planeController } from './control-plane/controller.ts'
import { guestController, guestControllerName } from './guest/controller.ts'
import { Guests, type GuestsOptions } from './guest/guests.ts'
import type { HostedSettings } from './settings.ts'

export interface HostedOperatorOptions {
  readonly settings: HostedSettings
  readonly seams: ConnectSeams & { readonly clock: Clock; readonly random: Random; readonly keys: Keys }
  readonly clientOf?: GuestsOptions['clientOf']
}

export function createHostedOperator({ settings, seams, clientOf }: HostedOperatorOptions): RunningOperator {
  const guests = new Guests({ seams, ...given({ clientOf }) })
  const { clock, random, keys, net } = seams
  return {
    controllers: [planeController({ settings, clock, random, keys, net }), guestController({ settings, guests, clock })],
    attach: manager => guests.attach(manager, guestControllerName),
    close: () => guests.close(),
  }
}
