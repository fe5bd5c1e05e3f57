import { describe, it } from 'node:test'
import { catalogueForReal, registerCatalogue } from '../conformance/apiserver/register.ts'
import { realTarget } from './real-target.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = await controlPlaneSkipped()

if (skip === undefined) {
  registerCatalogue(
    'the catalogue on the real kube-apiserver',
    async () => realTarget(await sharedControlPlane()),
    catalogueForReal,
  )
} else {
  describe('the catalogue on the real kube-apiserver', () => {
    it('needs a control plane', { skip }, () => {})
  })
}
