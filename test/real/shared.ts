// The one control plane of a test run: starting a second one for each file would cost more than all their tests.
import { after } from 'node:test'
import { obtainKubernetes } from '../../scripts/kubernetes.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'

let shared: Promise<ControlPlane> | undefined

/** Why there is no control plane here, or undefined when there is one. Ask before registering a suite. */
export async function controlPlaneSkipped(): Promise<string | undefined> {
  const obtained = await obtainKubernetes()
  return 'skipped' in obtained ? obtained.skipped : undefined
}

/** Started by the first who asks and stopped after the last test. */
export function sharedControlPlane(): Promise<ControlPlane> {
  shared ??= startControlPlane()
  return shared
}

// At the top of the module on purpose: registered here it runs after the last test of the whole run, not of one suite.
after(async () => {
  await (await shared?.catch(() => undefined))?.stop()
})
