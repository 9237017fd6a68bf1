// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The modifier that accessibility modifiers add to a view.
nonisolated public struct AccessibilityAttachmentModifier: ViewModifier {
    /// The type of the view's body, which isn't used: the toolkit renders the modified view itself.
    public typealias Body = Never
    let change: @MainActor (inout Element, Node) -> Void
}

extension AccessibilityAttachmentModifier: Modification {
    @MainActor func apply(to output: inout Output, _ node: Node) {
        for index in output.elements.indices { change(&output.elements[index], node) }
    }
}

extension View {
    /// The type of a view with an accessibility modifier.
    public typealias _Accessible = ModifiedContent<Self, AccessibilityAttachmentModifier>

    nonisolated private func access(_ name: Element.AccessName, _ value: String?) -> _Accessible {
        modifier(AccessibilityAttachmentModifier { element, _ in element.access[name] = value })
    }
    nonisolated private func access(_ name: Element.AccessName, _ text: Text) -> _Accessible {
        // Immutable, and read on the main actor only, where the closure runs.
        nonisolated(unsafe) let text = text
        return modifier(
            AccessibilityAttachmentModifier { element, node in
                element.access[name] = text.runs(node).map(\.text).joined()
            })
    }

    /// Sets the identifier by which tests find the view.
    nonisolated public func accessibilityIdentifier(_ identifier: String) -> _Accessible {
        access(.identifier, identifier)
    }
    /// Sets the identifier by which tests find the view.
    nonisolated public func accessibility(identifier: String) -> _Accessible { access(.identifier, identifier) }
    /// Sets the accessible name of the view.
    nonisolated public func accessibilityLabel(_ label: Text) -> _Accessible { access(.label, label) }
    /// Sets the accessible name of the view.
    nonisolated public func accessibilityLabel(_ labelKey: LocalizedStringKey) -> _Accessible {
        access(.label, Text(labelKey))
    }
    /// Sets the accessible name of the view.
    @_disfavoredOverload nonisolated public func accessibilityLabel<S>(_ label: S) -> _Accessible
    where S: StringProtocol { access(.label, Text(label)) }
    /// Sets the accessible name of the view.
    nonisolated public func accessibility(label: Text) -> _Accessible { access(.label, label) }
    /// Sets the accessible value of the view.
    nonisolated public func accessibilityValue(_ value: Text) -> _Accessible { access(.value, value) }
    /// Sets the accessible value of the view.
    nonisolated public func accessibilityValue(_ valueKey: LocalizedStringKey) -> _Accessible {
        access(.value, Text(valueKey))
    }
    /// Sets the accessible value of the view.
    @_disfavoredOverload nonisolated public func accessibilityValue<S>(_ value: S) -> _Accessible
    where S: StringProtocol { access(.value, Text(value)) }
    /// Sets the text that describes the result of the view's action to assistive technology.
    nonisolated public func accessibilityHint(_ hint: Text) -> _Accessible { access(.hint, hint) }
    /// Sets the text that describes the result of the view's action to assistive technology.
    nonisolated public func accessibilityHint(_ hintKey: LocalizedStringKey) -> _Accessible {
        access(.hint, Text(hintKey))
    }
    /// Sets the text that describes the result of the view's action to assistive technology.
    @_disfavoredOverload nonisolated public func accessibilityHint<S>(_ hint: S) -> _Accessible
    where S: StringProtocol { access(.hint, Text(hint)) }
    /// Hides the view from assistive technology.
    nonisolated public func accessibilityHidden(_ hidden: Bool) -> _Accessible {
        access(.hidden, hidden ? "true" : nil)
    }
    /// Sets whether assistive technology presents the children as one element or as separate elements.
    nonisolated public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> _Accessible {
        access(.combined, children.isCombined ? "true" : nil)
    }
    /// Sets the accessibility traits of the view. They replace traits from an inner modifier.
    nonisolated public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> _Accessible {
        access(.traits, traits.names)
    }
    /// Runs an action when assistive technology or a click activates the view. Has no effect if the view already
    /// handles taps.
    nonisolated public func accessibilityAction(_ handler: @escaping () -> Void) -> _Accessible {
        // Called only on the main actor, which handles the events.
        nonisolated(unsafe) let handler = handler
        return modifier(
            AccessibilityAttachmentModifier { element, node in
                if !element.actions.contains(.tap) { node.handle(.tap, of: &element) { _ in handler() } }
            })
    }
    /// Sets the help text of the view, shown when the pointer rests on it.
    nonisolated public func help(_ textKey: LocalizedStringKey) -> some View { access(.help, Text(textKey)) }

    nonisolated private func field(_ name: Element.AccessName, _ value: String?) -> some View {
        environmentChange { $0.fieldAttributes[name] = value }
    }

    /// Sets the type of the on-screen keyboard for text fields in the view.
    nonisolated public func keyboardType(_ type: UIKeyboardType) -> some View { field(.inputMode, type.inputMode) }
    /// Sets the content type of text fields in the view, which a browser uses to fill them in.
    nonisolated public func textContentType(_ textContentType: UITextContentType?) -> some View {
        field(.autocomplete, textContentType?.rawValue)
    }
    /// Sets the automatic capitalization of text fields in the view.
    nonisolated public func textInputAutocapitalization(_ autocapitalization: TextInputAutocapitalization?) -> some View
    {
        field(.capitalization, autocapitalization?.css)
    }
    /// Sets the automatic capitalization of text fields in the view.
    nonisolated public func autocapitalization(_ style: UITextAutocapitalizationType) -> some View {
        field(.capitalization, style.css)
    }
    /// Disables the automatic correction of text fields in the view.
    nonisolated public func autocorrectionDisabled(_ disable: Bool = true) -> some View {
        field(.correction, disable ? "off" : nil)
    }
    /// Disables the automatic correction of text fields in the view. `false` and `nil` restore the browser's default.
    nonisolated public func disableAutocorrection(_ disable: Bool?) -> some View {
        field(.correction, disable == true ? "off" : nil)
    }
    /// Sets the label of the on-screen keyboard's return key.
    nonisolated public func submitLabel(_ submitLabel: SubmitLabel) -> some View { field(.enterKey, submitLabel.css) }
}
