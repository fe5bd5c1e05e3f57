import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { registerClientSuite } from '../conformance/client/suite.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = await controlPlaneSkipped()

if (skip === undefined) {
  registerClientSuite('our client on the real kube-apiserver', async () => {
    const plane = await sharedControlPlane()
    return {
      kubeconfig: readFileSync(plane.kubeconfig, 'utf8'),
      port: Number(new URL(plane.address).port),
      compact: revision => plane.compact(revision),
      close: async () => {},
    }
  })
} else {
  describe('our client on the real kube-apiserver', () => {
    it('needs a control plane', { skip }, () => {})
  })
}
