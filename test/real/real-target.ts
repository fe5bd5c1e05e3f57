// The real kube-apiserver as a conformance target.
import type { Target } from '../conformance/apiserver/target.ts'
import type { ControlPlane } from './control-plane.ts'

export function realTarget(plane: ControlPlane): Target {
  return {
    name: 'real',
    controllers: false,
    patienceMs: 10_000,
    anonymous: plane.anonymous,
    adminToken: plane.adminToken,
    now: () => Date.now(),
    pass: ms => new Promise(resolve => setTimeout(resolve, ms)),
    compact: revision => plane.compact(revision),
    close: async () => {},
  }
}
