import { describe, it } from 'node:test'
import { catalogue } from '../conformance/apiserver/cases/index.ts'
import { registerCatalogue } from '../conformance/apiserver/register.ts'
import { controlPlaneSkipped, sharedControlPlane } from './control-plane.ts'
import { realTarget } from './real-target.ts'

const skip = await controlPlaneSkipped()

if (skip === undefined) {
  registerCatalogue(
    'the catalogue on the real kube-apiserver',
    async () => realTarget(await sharedControlPlane()),
    catalogue.filter(one => one.needsControllers !== true),
  )
} else {
  describe('the catalogue on the real kube-apiserver', () => {
    it('needs a control plane', { skip }, () => {})
  })
}
