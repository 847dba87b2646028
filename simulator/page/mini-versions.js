/** Since which version of the protocol a client understands an event; those not named, since 6.0. */
const SINCE = {
  6.1: [
    'setup_back_button',
    'set_header_color',
    'set_background_color',
    'trigger_haptic_feedback',
    'open_link',
    'open_invoice',
  ],
  6.2: ['open_popup', 'setup_closing_behavior'],
  6.4: ['open_scan_qr_popup', 'read_text_from_clipboard'],
  6.9: ['request_phone', 'request_write_access', 'invoke_custom_method'],
  '6.10': ['setup_settings_button'],
  7.2: ['biometry_get_info'],
  '7.10': ['setup_secondary_button', 'set_bottom_bar_color'],
  '8.0': [
    'request_fullscreen',
    'check_home_screen',
    'check_location',
    'start_accelerometer',
    'start_gyroscope',
    'start_device_orientation',
    'send_prepared_message',
    'request_safe_area',
    'request_content_safe_area',
  ],
};

const sinceOf = new Map(
  Object.entries(SINCE).flatMap(([version, names]) => names.map((name) => [`web_app_${name}`, version])),
);

const numberOf = (version) => version.split('.').reduce((sum, part) => sum * 1000 + Number(part), 0);

/** Whether a client of that version understands the event. */
export function isKnown(eventType, version) {
  return numberOf(sinceOf.get(eventType) ?? '6.0') <= numberOf(version);
}
