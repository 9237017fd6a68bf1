// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

public import CSwiftRuntime

/// An accessor that was returned to the caller and is reused if the caller didn't retain it. The owner of this retains
/// the object.
///
/// Returning it again adds to one word the amount that a retain adds to it. A retain by Swift took a quarter of the
/// time of an iteration by the profile; this addition need not be atomic, because no other thread can retain an object
/// that only its owner references.
///
/// This contains no reference, which would be counted: unoptimised builds copy the values they read.
@frozen @usableFromInline
@safe struct RecyclableAccessor {
    @usableFromInline let object: Unmanaged<ObjectBase>
    /// The object's reference-count word when only its owner referenced it. A weak reference changes it too, which
    /// prevents reuse: a weak reference must never lead to another object.
    @usableFromInline let soleCounts: UInt
    /// The amount that one more reference adds to the word.
    @usableFromInline let reference: UInt

    /// Wraps the object that the caller has just created and retains; nil if its initialiser has passed it to others.
    init?(_ object: inout ObjectBase) {
        guard isKnownUniquelyReferenced(&object), _getWeakRetainCount(object) == 1 else { return nil }
        unsafe self.object = unsafe Unmanaged.passUnretained(object)
        let address = unsafe self.object.toOpaque()
        soleCounts = unsafe regnum_reference_counts(address)
        let retained = unsafe Unmanaged<ObjectBase>.fromOpaque(regnum_retain_alone(address))
        reference = unsafe regnum_reference_counts(address) &- soleCounts
        unsafe retained.release()
        // If references are counted elsewhere, the word isn't usable.
        guard reference != 0, unsafe regnum_reference_counts(address) == soleCounts else { return nil }
    }

    /// The object, if only its owner references it; nil otherwise.
    @inlinable @inline(__always) var unused: Unmanaged<ObjectBase>? {
        unsafe regnum_reference_counts(object.toOpaque()) == soleCounts ? object : nil
    }

    /// Returns the object, which was `unused` just before, so that no other thread can retain it in the meantime.
    @inlinable @inline(__always)
    func vend() -> ObjectBase {
        unsafe regnum_add_reference(object.toOpaque(), reference)
        return unsafe object.takeRetainedValue()
    }
}
