// The rows of §8.3 with a real kube-apiserver: the suite that holds with the embedded one.
import { after, describe, it } from 'node:test'
import { webhookRowsHold } from '../e2e/webhook-rows.ts'
import type { RowsServer } from '../e2e/webhook-rows-world.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { controlPlaneSkipped } from './shared.ts'

const skip = await controlPlaneSkipped()
// One of its own: it is started anew in the midst.
let plane: Promise<ControlPlane> | undefined

if (skip === undefined) webhookRowsHold('a real kube-apiserver', open)
else describe('the webhooks on a real kube-apiserver', () => it('need a control plane', { skip }, () => {}))

async function open(): Promise<RowsServer> {
  plane ??= startControlPlane()
  const { address, ca, adminToken, takeDown } = await plane
  return {
    address,
    ca,
    adminToken,
    // Started anew its watch cache begins with what is there now, and knows nothing of before.
    compact: async () => {
      const bringBack = await takeDown()
      await bringBack()
    },
  }
}

after(async () => (await plane)?.stop())
