const columns = "pfr_number, pfr_time, invoice_type, transaction_type, counter, total_amount, total_tax, buyer_id, verification_url, journal, standing"

/**
 * Parameters of every statement: $1 organization, $2 environment. Imports of one taxpayer run one after another. An inactive taxpayer's receipts may still
 * be imported and removed.
 */
export const lockTaxpayer = "select 1 from taxpayers t where t.organization_id = $1 and t.environment = $2 and t.taxpayer_id = $3 for no key update"

/** $3 numbers. */
export const findStored = `select e.taxpayer_id, ${columns} from elsewhere_receipts e
  where e.organization_id = $1 and e.environment = $2 and e.pfr_number = any ($3::text[])`

/** $3 numbers. */
export const findOwn = `select o.invoice_number as pfr_number, o.operation_id as id from operations o
  where o.organization_id = $1 and o.environment = $2 and o.invoice_number = any ($3::text[])`

/** $3 taxpayer, $4 receipts, $5 time. Answers the numbers that it has written: one that another taxpayer has is not among them. */
export const keepElsewhere = `
insert into elsewhere_receipts (organization_id, environment, taxpayer_id, ${columns}, imported_at)
select $1, $2, $3, ${columns}, $5
from jsonb_to_recordset($4::jsonb) as a (pfr_number text, pfr_time timestamptz, invoice_type text, transaction_type text, counter text,
  total_amount numeric, total_tax numeric, buyer_id text, verification_url text, journal text, standing text)
on conflict (organization_id, environment, pfr_number) do update set
  pfr_time = excluded.pfr_time, total_tax = excluded.total_tax, buyer_id = excluded.buyer_id, verification_url = excluded.verification_url,
  journal = excluded.journal, standing = excluded.standing
where elsewhere_receipts.taxpayer_id = excluded.taxpayer_id
returning pfr_number`

/**
 * The tenant's receipts that another ESIR has issued, for every statement that shows or sums them. A receipt of ours may have been imported while its
 * outcome was unknown; once it is found it is our own document, and no longer among these. Each number is looked up in the index of our numbers
 * (`offset 0`): joined, every page would read all documents.
 */
const ofAnotherEsir = `e.organization_id = $1 and e.environment = $2 and not exists (
    select from operations o where o.organization_id = $1 and o.environment = $2 and o.invoice_number = e.pfr_number offset 0)`

/** $3 taxpayer, $4 number. */
export const findElsewhere = `select e.taxpayer_id, ${columns} from elsewhere_receipts e
  where ${ofAnotherEsir} and e.taxpayer_id = $3 and e.pfr_number = $4`

/** $3 taxpayer, $4 from, $5 to, $6 the beginning of the number; each may be null. */
const matching = `${ofAnotherEsir} and ($3::uuid is null or e.taxpayer_id = $3)
  and ($4::timestamptz is null or e.pfr_time >= $4) and ($5::timestamptz is null or e.pfr_time < $5)
  and ($6::text is null or starts_with(e.pfr_number, $6))`

/** $7 the last number seen, $8 how many. */
export const pageElsewhere = `select e.taxpayer_id, ${columns} from elsewhere_receipts e
  where ${matching} and ((e.pfr_time, e.pfr_number) < (
      select s.pfr_time, s.pfr_number from elsewhere_receipts s where s.organization_id = $1 and s.environment = $2 and s.pfr_number = $7)
    or not exists (select 1 from elsewhere_receipts s where s.organization_id = $1 and s.environment = $2 and s.pfr_number = $7))
  order by e.pfr_time desc, e.pfr_number desc limit $8`

/** Turnover alone: not the copies, proformas and training of another ESIR. */
export const sumDays = `select to_char(e.pfr_time at time zone 'Europe/Belgrade', 'YYYY-MM-DD') as day, count(*)::int4 as receipts,
    coalesce(sum(e.total_amount) filter (where e.transaction_type = 'SALE'), 0)::text as sales,
    coalesce(-sum(e.total_amount) filter (where e.transaction_type = 'REFUND'), 0)::text as refunds
  from elsewhere_receipts e where ${matching} and e.invoice_type in ('NORMAL', 'ADVANCE')
  group by 1 order by 1`

/** $3 taxpayer, $4 the time before which receipts are removed. What has become our own document is removed here too; the document stays. */
export const removeElsewhere = `delete from elsewhere_receipts e
  where e.organization_id = $1 and e.environment = $2 and e.taxpayer_id = $3 and e.pfr_time < $4 returning 1`
