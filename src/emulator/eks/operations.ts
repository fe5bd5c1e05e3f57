// Operations of the wire and the functions that carry them out.
import type { Handler } from '../service.ts'
import {
  associateAccessPolicy,
  createAccessEntry,
  deleteAccessEntry,
  describeAccessEntry,
  disassociateAccessPolicy,
  listAccessEntries,
  listAccessPolicies,
  listAssociatedAccessPolicies,
  updateAccessEntry,
} from './access-entries.ts'
import { createAddon, deleteAddon, describeAddon, listAddons, updateAddon } from './addons.ts'
import {
  createPodIdentityAssociation,
  deletePodIdentityAssociation,
  describePodIdentityAssociation,
  listPodIdentityAssociations,
  updatePodIdentityAssociation,
} from './associations.ts'
import { createCluster, deleteCluster, describeCluster, listClusters } from './clusters.ts'
import type { EksState } from './model.ts'
import {
  associateIdentityProviderConfig,
  createNodegroup,
  deleteNodegroup,
  describeIdentityProviderConfig,
  describeNodegroup,
  disassociateIdentityProviderConfig,
  listIdentityProviderConfigs,
  listNodegroups,
} from './parts.ts'
import { listTagsForResource, tagResource, untagResource } from './tags.ts'
import { describeUpdate, listUpdates, updateClusterConfig, updateClusterVersion } from './updates.ts'

export const eksOperations: Readonly<Record<string, Handler<EksState>>> = {
  AssociateAccessPolicy: associateAccessPolicy,
  AssociateIdentityProviderConfig: associateIdentityProviderConfig,
  CreateAccessEntry: createAccessEntry,
  CreateAddon: createAddon,
  CreateCluster: createCluster,
  CreateNodegroup: createNodegroup,
  CreatePodIdentityAssociation: createPodIdentityAssociation,
  DeleteAccessEntry: deleteAccessEntry,
  DeleteAddon: deleteAddon,
  DeleteCluster: deleteCluster,
  DeleteNodegroup: deleteNodegroup,
  DeletePodIdentityAssociation: deletePodIdentityAssociation,
  DescribeAccessEntry: describeAccessEntry,
  DescribeAddon: describeAddon,
  DescribeCluster: describeCluster,
  DescribeIdentityProviderConfig: describeIdentityProviderConfig,
  DescribeNodegroup: describeNodegroup,
  DescribePodIdentityAssociation: describePodIdentityAssociation,
  DescribeUpdate: describeUpdate,
  DisassociateAccessPolicy: disassociateAccessPolicy,
  DisassociateIdentityProviderConfig: disassociateIdentityProviderConfig,
  ListAccessEntries: listAccessEntries,
  ListAccessPolicies: listAccessPolicies,
  ListAddons: listAddons,
  ListAssociatedAccessPolicies: listAssociatedAccessPolicies,
  ListClusters: listClusters,
  ListIdentityProviderConfigs: listIdentityProviderConfigs,
  ListNodegroups: listNodegroups,
  ListPodIdentityAssociations: listPodIdentityAssociations,
  ListTagsForResource: listTagsForResource,
  ListUpdates: listUpdates,
  TagResource: tagResource,
  UntagResource: untagResource,
  UpdateAccessEntry: updateAccessEntry,
  UpdateAddon: updateAddon,
  UpdateClusterConfig: updateClusterConfig,
  UpdateClusterVersion: updateClusterVersion,
  UpdatePodIdentityAssociation: updatePodIdentityAssociation,
}
