// The AWS SDK for Go as its users have it, told an address and nothing else (AWS_ENDPOINT_URL, keys, region, a CA where it is https):
// one call of each service, then what a program does with roles, objects, records and certificates; "pod BUCKET" does what a pod does. Prints a line per step, "all done" at the end.
package main

import (
	"bytes"
	"context"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/acm"
	acmtypes "github.com/aws/aws-sdk-go-v2/service/acm/types"
	"github.com/aws/aws-sdk-go-v2/service/eks"
	"github.com/aws/aws-sdk-go-v2/service/iam"
	iamtypes "github.com/aws/aws-sdk-go-v2/service/iam/types"
	"github.com/aws/aws-sdk-go-v2/service/organizations"
	"github.com/aws/aws-sdk-go-v2/service/resourcegroupstaggingapi"
	"github.com/aws/aws-sdk-go-v2/service/route53"
	r53types "github.com/aws/aws-sdk-go-v2/service/route53/types"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	s3types "github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/aws-sdk-go-v2/service/servicequotas"
	"github.com/aws/aws-sdk-go-v2/service/sts"
)

const trust = `{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"123456789012"},"Action":"sts:AssumeRole"}]}`

func main() {
	ctx := context.Background()
	cfg, err := config.LoadDefaultConfig(ctx)
	check("configuration", err)
	if len(os.Args) == 3 && os.Args[1] == "pod" {
		pod(ctx, cfg, os.Args[2])
		fmt.Println("all done")
		return
	}
	oneCallOfEach(ctx, cfg)
	roles(ctx, iam.NewFromConfig(cfg))
	objects(ctx, s3.NewFromConfig(cfg))
	records(ctx, route53.NewFromConfig(cfg))
	certificate(ctx, acm.NewFromConfig(cfg), route53.NewFromConfig(cfg))
	fmt.Println("all done")
}

// What a pod does, with whatever the chain of credentials finds: says who it is, and reads the object k of the bucket.
func pod(ctx context.Context, cfg aws.Config, bucket string) {
	identity, err := sts.NewFromConfig(cfg).GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	check("sts", err)
	fmt.Println("as", aws.ToString(identity.Arn))
	object, err := s3.NewFromConfig(cfg, func(o *s3.Options) { o.UsePathStyle = true }).
		GetObject(ctx, &s3.GetObjectInput{Bucket: aws.String(bucket), Key: aws.String("k")})
	check("GetObject", err)
	body, err := io.ReadAll(object.Body)
	check("GetObject", err)
	expect("GetObject", string(body), "v")
}

func oneCallOfEach(ctx context.Context, cfg aws.Config) {
	identity, err := sts.NewFromConfig(cfg).GetCallerIdentity(ctx, &sts.GetCallerIdentityInput{})
	check("sts", err)
	expect("sts", aws.ToString(identity.Arn), "arn:aws:iam::123456789012:user/emulator-admin")
	_, err = iam.NewFromConfig(cfg).ListRoles(ctx, &iam.ListRolesInput{})
	check("iam", err)
	_, err = s3.NewFromConfig(cfg).ListBuckets(ctx, &s3.ListBucketsInput{})
	check("s3", err)
	_, err = eks.NewFromConfig(cfg).ListClusters(ctx, &eks.ListClustersInput{})
	check("eks", err)
	_, err = acm.NewFromConfig(cfg).ListCertificates(ctx, &acm.ListCertificatesInput{})
	check("acm", err)
	_, err = route53.NewFromConfig(cfg).ListHostedZones(ctx, &route53.ListHostedZonesInput{})
	check("route53", err)
	organization, err := organizations.NewFromConfig(cfg).DescribeOrganization(ctx, &organizations.DescribeOrganizationInput{})
	check("organizations", err)
	expect("organizations", aws.ToString(organization.Organization.Id), "o-emulator00")
	quota, err := servicequotas.NewFromConfig(cfg).GetServiceQuota(ctx, &servicequotas.GetServiceQuotaInput{
		ServiceCode: aws.String("iam"), QuotaCode: aws.String("L-FE177D64"),
	})
	check("servicequotas", err)
	expect("servicequotas", fmt.Sprint(*quota.Quota.Value), "1000")
	_, err = resourcegroupstaggingapi.NewFromConfig(cfg).GetResources(ctx, &resourcegroupstaggingapi.GetResourcesInput{})
	check("tagging", err)
}

func roles(ctx context.Context, client *iam.Client) {
	for _, name := range []string{"go-1", "go-2", "go-3"} {
		made, err := client.CreateRole(ctx, &iam.CreateRoleInput{
			RoleName: aws.String(name), AssumeRolePolicyDocument: aws.String(trust),
			Description: aws.String("a & <b>"),
			Tags:        []iamtypes.Tag{{Key: aws.String("of"), Value: aws.String("ümläut + tag")}},
		})
		check("CreateRole", err)
		expect("CreateRole", *made.Role.Arn, "arn:aws:iam::123456789012:role/"+name)
	}
	var names []string
	pages := iam.NewListRolesPaginator(client, &iam.ListRolesInput{MaxItems: aws.Int32(2)})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		check("ListRoles", err)
		for _, role := range page.Roles {
			names = append(names, *role.RoleName)
		}
	}
	expect("ListRoles", strings.Join(names, " "), "go-1 go-2 go-3")
	got, err := client.GetRole(ctx, &iam.GetRoleInput{RoleName: aws.String("go-1")})
	check("GetRole", err)
	expect("GetRole", *got.Role.Description, "a & <b>")
	expect("GetRole", *got.Role.Tags[0].Value, "ümläut + tag")
	for _, name := range names {
		_, err := client.DeleteRole(ctx, &iam.DeleteRoleInput{RoleName: aws.String(name)})
		check("DeleteRole", err)
	}
	_, err = client.GetRole(ctx, &iam.GetRoleInput{RoleName: aws.String("go-1")})
	var missing *iamtypes.NoSuchEntityException
	expect("GetRole of none", fmt.Sprint(errors.As(err, &missing)), "true")
}

func objects(ctx context.Context, client *s3.Client) {
	bucket := aws.String("go-bucket")
	_, err := client.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: bucket})
	check("CreateBucket", err)
	// Large enough for Expect: 100-continue; over https it is sent in chunks with its checksum behind them.
	body := bytes.Repeat([]byte("0123456789abcdef"), 3*1024*1024/16)
	_, err = client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: bucket, Key: aws.String("a/b c"), Body: bytes.NewReader(body), ContentEncoding: aws.String("identity"),
	})
	check("PutObject", err)
	got, err := client.GetObject(ctx, &s3.GetObjectInput{Bucket: bucket, Key: aws.String("a/b c"), ChecksumMode: s3types.ChecksumModeEnabled})
	check("GetObject", err)
	read, err := io.ReadAll(got.Body)
	check("GetObject", err)
	expect("GetObject", fmt.Sprint(bytes.Equal(read, body)), "true")
	expect("GetObject", aws.ToString(got.ContentEncoding), "identity")
	_, err = client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: bucket, Key: aws.String("missing")})
	var missing *s3types.NotFound
	expect("HeadObject of none", fmt.Sprint(errors.As(err, &missing)), "true")
	_, err = client.DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: bucket})
	expect("DeleteBucket", fmt.Sprint(err != nil && strings.Contains(err.Error(), "BucketNotEmpty")), "true")
	_, err = client.DeleteObjects(ctx, &s3.DeleteObjectsInput{
		Bucket: bucket, Delete: &s3types.Delete{Objects: []s3types.ObjectIdentifier{{Key: aws.String("a/b c")}}},
	})
	check("DeleteObjects", err)
	_, err = client.DeleteBucket(ctx, &s3.DeleteBucketInput{Bucket: bucket})
	check("DeleteBucket", err)
}

func records(ctx context.Context, client *route53.Client) {
	zone, err := client.CreateHostedZone(ctx, &route53.CreateHostedZoneInput{
		Name: aws.String("example.com"), CallerReference: aws.String("go"),
	})
	check("CreateHostedZone", err)
	change := func(action r53types.ChangeAction) error {
		_, err := client.ChangeResourceRecordSets(ctx, &route53.ChangeResourceRecordSetsInput{
			HostedZoneId: zone.HostedZone.Id,
			ChangeBatch: &r53types.ChangeBatch{Changes: []r53types.Change{{Action: action, ResourceRecordSet: &r53types.ResourceRecordSet{
				Name: aws.String("*.example.com"), Type: r53types.RRTypeTxt, TTL: aws.Int64(60),
				ResourceRecords: []r53types.ResourceRecord{{Value: aws.String(`"a" "b"`)}},
			}}}},
		})
		return err
	}
	check("ChangeResourceRecordSets", change(r53types.ChangeActionCreate))
	var invalid *r53types.InvalidChangeBatch
	expect("CREATE of what exists", fmt.Sprint(errors.As(change(r53types.ChangeActionCreate), &invalid)), "true")
	sets, err := client.ListResourceRecordSets(ctx, &route53.ListResourceRecordSetsInput{HostedZoneId: zone.HostedZone.Id})
	check("ListResourceRecordSets", err)
	expect("ListResourceRecordSets", *sets.ResourceRecordSets[len(sets.ResourceRecordSets)-1].Name, `\052.example.com.`)
	check("ChangeResourceRecordSets", change(r53types.ChangeActionDelete))
	_, err = client.DeleteHostedZone(ctx, &route53.DeleteHostedZoneInput{Id: zone.HostedZone.Id})
	check("DeleteHostedZone", err)
}

// Requested, proven by its record, issued, read and removed.
func certificate(ctx context.Context, client *acm.Client, dns *route53.Client) {
	zone, err := dns.CreateHostedZone(ctx, &route53.CreateHostedZoneInput{
		Name: aws.String("go.dev"), CallerReference: aws.String("go-dev"),
	})
	check("CreateHostedZone", err)
	asked := &acm.RequestCertificateInput{
		DomainName: aws.String("go.dev"), SubjectAlternativeNames: []string{"*.go.dev"},
		ValidationMethod: acmtypes.ValidationMethodDns, IdempotencyToken: aws.String("go"),
		KeyAlgorithm: acmtypes.KeyAlgorithmEcPrime256v1,
		Tags:         []acmtypes.Tag{{Key: aws.String("of"), Value: aws.String("go")}},
	}
	made, err := client.RequestCertificate(ctx, asked)
	check("RequestCertificate", err)
	again, err := client.RequestCertificate(ctx, asked)
	check("RequestCertificate", err)
	expect("RequestCertificate with its token", *again.CertificateArn, *made.CertificateArn)
	described := &acm.DescribeCertificateInput{CertificateArn: made.CertificateArn}
	detail, err := client.DescribeCertificate(ctx, described)
	check("DescribeCertificate", err)
	record := detail.Certificate.DomainValidationOptions[0].ResourceRecord
	expect("one record for both names", *detail.Certificate.DomainValidationOptions[1].ResourceRecord.Name, *record.Name)
	_, err = dns.ChangeResourceRecordSets(ctx, &route53.ChangeResourceRecordSetsInput{
		HostedZoneId: zone.HostedZone.Id,
		ChangeBatch: &r53types.ChangeBatch{Changes: []r53types.Change{{
			Action: r53types.ChangeActionUpsert, ResourceRecordSet: &r53types.ResourceRecordSet{
				Name: record.Name, Type: r53types.RRTypeCname, TTL: aws.Int64(300),
				ResourceRecords: []r53types.ResourceRecord{{Value: record.Value}},
			}}}},
	})
	check("ChangeResourceRecordSets", err)
	waiter := acm.NewCertificateValidatedWaiter(client, func(o *acm.CertificateValidatedWaiterOptions) {
		o.MinDelay, o.MaxDelay = time.Second, time.Second
	})
	check("CertificateValidated", waiter.Wait(ctx, described, 30*time.Second))
	issued, err := client.GetCertificate(ctx, &acm.GetCertificateInput{CertificateArn: made.CertificateArn})
	check("GetCertificate", err)
	block, _ := pem.Decode([]byte(*issued.Certificate))
	parsed, err := x509.ParseCertificate(block.Bytes)
	check("ParseCertificate", err)
	authorities := x509.NewCertPool()
	expect("CertificateChain", fmt.Sprint(authorities.AppendCertsFromPEM([]byte(*issued.CertificateChain))), "true")
	_, err = parsed.Verify(x509.VerifyOptions{Roots: authorities, DNSName: "www.go.dev"})
	check("Verify", err)
	listed, err := client.ListCertificates(ctx, &acm.ListCertificatesInput{
		Includes: &acmtypes.Filters{KeyTypes: []acmtypes.KeyAlgorithm{acmtypes.KeyAlgorithmEcPrime256v1}},
	})
	check("ListCertificates", err)
	expect("ListCertificates", fmt.Sprint(len(listed.CertificateSummaryList)), "1")
	_, err = client.DeleteCertificate(ctx, &acm.DeleteCertificateInput{CertificateArn: made.CertificateArn})
	check("DeleteCertificate", err)
	_, err = client.DescribeCertificate(ctx, described)
	var missing *acmtypes.ResourceNotFoundException
	expect("DescribeCertificate of none", fmt.Sprint(errors.As(err, &missing)), "true")
}

func check(step string, err error) {
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", step, err)
		os.Exit(1)
	}
	fmt.Println("ok", step)
}

func expect(step, met, wanted string) {
	if met != wanted {
		fmt.Fprintf(os.Stderr, "%s: %q, expected %q\n", step, met, wanted)
		os.Exit(1)
	}
}
