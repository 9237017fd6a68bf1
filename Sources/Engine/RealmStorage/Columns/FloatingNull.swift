// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The NaN patterns that represent null in leaves of Float and Double, compared bit for bit (content 6.4, 6.5).
@usableFromInline
package enum FloatingNull {
    @inlinable package static var float: UInt32 { 0x7FC0_00AA }
    @inlinable package static var double: UInt64 { 0x7FF8_0000_0000_00AA }
}
