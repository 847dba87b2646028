-- roost: min_code_level 1

-- Which server answers, and on which timeline: it changes when a standby takes over or a backup is restored, and then the
-- last commits, and with them counters, may be lost. A server that does not tell its timeline (some managed ones do not)
-- is known by when it was started. Makes a function only: nothing is locked.
create function server_identity() returns text language plpgsql as $$
declare
  system text := '';
  place text;
begin
  begin
    select system_identifier::text into system from pg_control_system();
  exception when others then
    system := '';
  end;
  begin
    place := left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
  exception when others then
    place := extract(epoch from pg_postmaster_start_time())::text;
  end;
  return system || '/' || place;
end $$;
