/** Orders with something that was not sent, also of the time when no process listened. It compares counts: clocks differ. ?: since when. */
export const unsent = `select l.order_id from order_payment_collection l
join payment p on p.payment_collection_id = l.payment_collection_id and p.deleted_at is null
join capture c on c.payment_id = p.id and c.deleted_at is null
left join overa_order o on o.order_id = l.order_id
where l.deleted_at is null
group by l.order_id, o.is_open, o.heard
having min(c.created_at) >= ?::timestamptz and (coalesce(o.is_open, true) or o.heard <> count(distinct c.id) + (
  select count(*) from refund r join payment q on q.id = r.payment_id join order_payment_collection k on k.payment_collection_id = q.payment_collection_id and k.deleted_at is null
  where k.order_id = l.order_id and r.deleted_at is null))`
