// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The instance of a Realm that a write session belongs to. It notifies the observers.
package protocol WriteOwner: AnyObject {
    var reader: VersionReader { get }
    var writes: WriteSession { get }
    /// Notifies the instance of others' commits; nil if no work can be sent to it.
    var port: DeliveryPort? { get }

    /// Adopts a run loop that runs now. Returns whether work can be sent to the instance's confinement.
    func attachToRunLoop() -> Bool

    /// Returns to the last durable version after a failed commit: its version must no longer be read.
    func returnToCommitted() throws

    /// Called when a write has begun and has changed nothing yet. With `hasMoved`, its version is another one than the
    /// instance read before.
    func writeDidBegin(hasMoved: Bool)

    /// Called when a write has ended with a commit.
    func writeDidCommit()

    /// Called when a write has ended without its changes.
    func writeWasCancelled()

    /// Called when a write has ended in any way, before the calls above.
    func writeDidEnd()

    /// Called when a commit that another thread made durable has ended, after its completion.
    func commitDidEnd()
}
