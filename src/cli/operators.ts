// The operators that there are: a new one is a folder of src/operators and a line here. What `vouch operator` runs, what `vouch render`
// prints, which rights, leases and flags there are, and the pages about them, are loops over this list.
import { certificatesOperator } from '#operators/certificates/operator'
import { dnsOperator } from '#operators/dns/operator'
import { hostedOperator } from '#operators/hosted/operator'
import { identityOperator } from '#operators/identity/operator'
import { resourcesOperator } from '#operators/resources/operator'
import type { Operator } from '#runtime'
import { inferServices } from './operator/models.ts'

/** For the commands that look at AWS as it would. */
export const resources: ReturnType<typeof resourcesOperator> = resourcesOperator(inferServices)

/** All operators in the order in which they start. Where two have a flag of one name, the help is that of the first. */
export const operators: readonly Operator[] = [identityOperator, resources, certificatesOperator, dnsOperator, hostedOperator]
