// The operator of the guide, from the packed package, on a real kube-apiserver.
import { join } from 'node:path'
import { after, test } from 'node:test'
import { followMirror } from '../e2e/follow-mirror.ts'
import { type Outsider, unpackForOutsider } from '../e2e/package.ts'
import { codeOfPages } from '../e2e/page-code.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = (await controlPlaneSkipped()) ?? false
let outsider: Outsider | undefined
after(() => outsider?.remove())

test('the operator of the guide runs as a process on a real cluster', { skip }, async () => {
  const plane = await sharedControlPlane()
  const written = unpackForOutsider()
  outsider = written
  const code = codeOfPages().find(({ page }) => page.endsWith('write-an-operator.md'))
  written.write(Object.fromEntries(code?.files ?? []))
  await followMirror({ kubeconfig: plane.kubeconfig, start: env => written.start([join('.', 'main.ts')], env) })
})
